// Makes photos small before they are sent, which a hall's network thanks for. Without it they are sent as they were taken.
(() => {
  "use strict";
  const LONGER_SIDE = 1600;
  const QUALITY = 0.85;

  async function smaller(file) {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGER_SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
    return blob && blob.size < file.size ? new File([blob], "photo.jpg", { type: "image/jpeg" }) : file;
  }

  for (const field of document.querySelectorAll('input[type="file"][name="photos"]')) {
    field.addEventListener("change", async () => {
      const chosen = [...field.files];
      // What the browser cannot read is sent as it is: the server says what is wrong with it.
      const made = await Promise.all(chosen.map((file) => smaller(file).catch(() => file)));
      if (chosen.some((file, n) => field.files[n] !== file)) return; // chosen anew meanwhile
      const files = new DataTransfer();
      for (const file of made) files.items.add(file);
      field.files = files.files;
    });
  }
})();
