"""The page of all candidates: why each was dropped, and what became of those that were not.

`candidates` asks the warehouse, `groups` sets records side by side that count together, `scores`
leads from a number to its records, `overlays` draws what is marked on a picture, `pages` answers
requests. Pictures, addresses and the guard of requests are those of the review page.
"""
