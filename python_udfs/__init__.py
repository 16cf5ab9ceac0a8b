"""Pure functions over Arrow arrays for what SQL cannot do: pixels, the sun, text in pictures."""
