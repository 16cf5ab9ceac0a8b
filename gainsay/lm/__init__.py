"""Language and vision-language models: asking them, and keeping what they say."""
