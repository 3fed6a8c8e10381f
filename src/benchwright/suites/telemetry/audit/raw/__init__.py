"""Raw files to readings and points: wide CSV, archives of pickles, Brick models in Turtle."""
