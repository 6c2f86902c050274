// An area to draw on with a mouse, a pen or a finger.

const WIDTH = 26;

/** White paper on a canvas; `changed` is called after each stroke's part. */
export class Pad {
  #canvas;
  #pen;
  #last = null;
  #changed;

  constructor(canvas, changed) {
    this.#canvas = canvas;
    this.#changed = changed;
    this.#pen = canvas.getContext("2d", { willReadFrequently: true });
    this.#wipe();
    canvas.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      canvas.setPointerCapture(event.pointerId);
      this.#last = null;
      this.#to(event);
    });
    canvas.addEventListener("pointermove", (event) => this.#last && this.#to(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { this.#last = null; });
  }

  get pixels() {
    return this.#pen.getImageData(0, 0, this.#canvas.width, this.#canvas.height);
  }

  clear() {
    this.#wipe();
    this.#changed();
  }

  /** Shows a picture as large as it fits; its first pixel's colour goes on around it. */
  show(picture) {
    this.#pen.drawImage(picture, 0, 0, 1, 1, 0, 0, this.#canvas.width, this.#canvas.height);
    fit(this.#canvas, picture);
    this.#changed();
  }

  #wipe() {
    this.#pen.fillStyle = "#fff";
    this.#pen.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  #to(event) {
    const box = this.#canvas.getBoundingClientRect();
    const scale = this.#canvas.width / box.width;
    const next = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    Object.assign(this.#pen, { strokeStyle: "#000", lineWidth: WIDTH, lineCap: "round", lineJoin: "round" });
    this.#pen.beginPath();
    this.#pen.moveTo(...(this.#last ?? next));
    this.#pen.lineTo(...next);
    this.#pen.stroke();
    this.#last = next;
    this.#changed();
  }
}

/** Draws a picture in the middle of a canvas, as large as it fits. */
export function fit(canvas, picture) {
  const scale = Math.min(canvas.width / picture.width, canvas.height / picture.height);
  const [w, h] = [picture.width * scale, picture.height * scale];
  canvas.getContext("2d").drawImage(picture, (canvas.width - w) / 2, (canvas.height - h) / 2, w, h);
}
