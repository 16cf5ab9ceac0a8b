"""The review page: people look at records and decide, and no vote that was acknowledged is lost.

`records` reads what is asked from the warehouse, once; `votes` says what a vote is; `log` keeps
votes in files; `desk` decides what comes next for whom; `readers` knows who is who; `pictures`
reads the pictures of records; `guard` refuses requests that no page of ours makes; `app` joins
them and `serving` runs it; nothing here knows of the terminal.
"""
