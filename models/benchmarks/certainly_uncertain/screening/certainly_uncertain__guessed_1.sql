{{ guessed_pairs(ref('certainly_uncertain__telling_words'), []) }}
