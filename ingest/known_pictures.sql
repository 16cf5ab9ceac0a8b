-- the pictures that are landed or listed
select source_image_id from images.images__files
union
select source_image_id from images.images__source_images
union
select image_id from images.images__collected_images
