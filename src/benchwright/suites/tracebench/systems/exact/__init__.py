"""`exact` dynamics: the physics that an agent is told, solved from event to event.

Between events every system has a closed form, so there is no step size: an impact, a stop or a
pulse edge stands where it happens, and rows are evaluations of the form of their stretch. Float64
throughout, without fastmath; what a caller stores may be narrower. One file per system says its
physics; what all three share is settled here, each with its reason.

- A change acts at its own time, not at the next row: the agent is told that the new value holds
  for t >= t_int. A change before the first row therefore shows in the first row already, and one
  at the time of the first row does not undo what happened before it.
- State (position, velocity) is continuous across a change, a new mass keeps the velocity: the same
  as in the published data.
- At one moment, the order is change, pulse edge, contact or stop: an impact at t_int uses the new
  values, because t >= t_int holds for it.
- An event at the time of a row belongs to that row, which shows the state after it; in general the
  row of an event is the first whose time is not before it. So a row shows what has happened up to
  and including its time.
- Moments closer than ON_TIME (1 ps) are the same moment. Rounding of k * P or of a sum of flight
  times is a thousand times smaller, the accuracy that is promised a hundred times larger.
- The contact channel is a force in newtons: the impulses of the sampling interval that ends at the
  row, divided by its length, plus the force that a resting body exerts at the time of the row.
  Impulses of one interval add up. The first interval includes its beginning, so an impact at t = 0
  shows in the first row.
- An event after the last row is not part of the run.
"""
