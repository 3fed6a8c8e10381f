"""What reads an archive in the confined child: standard library only, and nothing of benchwright.

Takes descriptor 0, an archive of pickles; gives, on descriptor 1, lines of JSON and raw arrays. It
never unpickles: names in a pickle are compared with a short list and never looked up. The parent
does not import these modules to read; tests do, to look at them piece by piece.
"""
