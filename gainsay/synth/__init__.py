"""A synthetic corpus in the layouts of VQA v2.0 and COCO, made from a seed.

An image is first a `Scene` (what is there, in words), then a `Composition` (where it stands,
under which sun), then pixels. Captions, questions, answers, instances and pictures are all
drawn from the same scene, each with its own stream of random numbers, so no part depends on
how, or whether, another was made.
"""
