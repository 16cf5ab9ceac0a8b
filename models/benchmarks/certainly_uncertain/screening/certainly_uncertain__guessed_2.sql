{{ guessed_pairs(
    ref('certainly_uncertain__telling_words'),
    [ref('certainly_uncertain__guessed_1')]
) }}
