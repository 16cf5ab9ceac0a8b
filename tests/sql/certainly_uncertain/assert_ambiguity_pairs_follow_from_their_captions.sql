-- Derives every answer anew from the captions' plain words, without tags or clauses, and looks for
-- a caption that answers the other side.
{{ pairs_that_captions_do_not_bear_out('ambiguity') }}
