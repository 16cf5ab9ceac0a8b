"""The program: what people run or import."""
