// The page: drawing, dropping, and showing what the networks say.
import { load } from "../lib/predict.js";
import { showBars } from "./bars.js";
import { pixelsOf } from "./digits.js";
import { Pad, fit } from "./pad.js";
import { sample, sampleNames } from "./samples.js";

const MOST_SHOWN = 5;
const element = (id) => document.getElementById(id);
const [digitCard, pictureCard, shown, seen] = ["digit", "picture", "shown", "seen"].map(element);
const nothing = (label) => ({ label, score: 0 });
let [mixgrad, digits, pictures, current] = [null, null, null, null];

function say(text, bad = false) {
  element("state").textContent = text;
  element("state").classList.toggle("bad", bad);
}

// ---- digits

const pad = new Pad(element("drawing"), lookAtDigit);

function lookAtDigit() {
  const start = performance.now();
  const pixels = pixelsOf(pad.pixels);
  digitCard.classList.toggle("full", pixels !== null);
  const picture = new ImageData(8, 8);
  for (let i = 0; i < 64; ++i) picture.data.set([0, 0, 0, 255 * (pixels ? pixels[i] : 0)], 4 * i);
  seen.getContext("2d").putImageData(picture, 0, 0);
  const scores = pixels && digits ? [...digits.predict(pixels)] : null;
  const best = scores ? scores.indexOf(Math.max(...scores)) : 0;
  element("digit-answer").textContent = scores ? `It is a ${digits.labels[best]}.` : "";
  showBars(element("digit-bars"), Array.from({ length: 10 }, (_, i) => ({ label: String(i), score: scores?.[i] ?? 0 })));
  digitCard.dataset.ms = performance.now() - start;
}

element("clear").addEventListener("click", () => pad.clear());

// ---- pictures

function lookAtPicture() {
  if (!pictures) return;
  const labels = pictures.labels.slice(0, MOST_SHOWN);
  if (!current) return showBars(element("picture-bars"), labels.map(nothing));
  const start = performance.now();
  const found = pictures.classify(current);
  const took = performance.now() - start;
  pictureCard.dataset.ms = took;
  element("picture-answer").textContent = `${found[0].label[0].toUpperCase()}${found[0].label.slice(1)}.`;
  showBars(element("picture-bars"), found.slice(0, MOST_SHOWN));
  say(`${took.toFixed(1)} ms for this picture.`);
}

/** Takes a bitmap or a canvas; transparent parts are taken as white. */
function usePicture(picture) {
  const whole = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  whole.fillStyle = "#fff";
  whole.fillRect(0, 0, picture.width, picture.height);
  whole.drawImage(picture, 0, 0);
  current = whole.getImageData(0, 0, picture.width, picture.height);
  shown.getContext("2d").clearRect(0, 0, shown.width, shown.height);
  fit(shown, picture);
  pictureCard.classList.add("full");
  lookAtPicture();
}

function useModel(bytes, name) {
  const model = new mixgrad.Model(bytes);
  pictures?.dispose();
  pictures = model;
  const classes = model.labels.length > 12 ? `${model.labels.length} classes` : model.labels.join(", ");
  element("model").textContent = `${name}: ${(bytes.byteLength / 1000).toFixed(0)} kB; ${classes || "no labels"}`;
  lookAtPicture();
}

async function open(file, card) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (new TextDecoder().decode(bytes.subarray(0, 8)) === "MXGMODEL") return useModel(bytes, file.name);
  let picture;
  try {
    picture = await createImageBitmap(file);
  } catch {
    throw new Error(`${file.name} is neither a picture that this browser can read nor a packed model.`);
  }
  return card === digitCard ? pad.show(picture) : usePicture(picture);
}

async function tryOpen(file, card) {
  if (!file) return;
  try {
    await open(file, card);
  } catch (error) {
    say(error.message, true);
  }
}

element("file").addEventListener("change", (event) => tryOpen(event.target.files[0], pictureCard));
const cardAt = (event) => (digitCard.contains(event.target) ? digitCard : pictureCard);
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    for (const card of [digitCard, pictureCard]) {
      card.classList.toggle("over", kind !== "drop" && kind !== "dragleave" && card === cardAt(event));
    }
  });
}
document.addEventListener("drop", (event) => tryOpen(event.dataTransfer.files[0], cardAt(event)));
for (const name of sampleNames) {
  const button = Object.assign(document.createElement("button"), { type: "button", title: `A picture of ${name}` });
  button.append(sample(name));
  button.addEventListener("click", () => usePicture(sample(name)));
  element("samples").append(button);
}

// ---- start

async function bytesOf(name) {
  const answer = await fetch(new URL(`models/${name}`, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function start() {
  const begun = performance.now();
  lookAtDigit();
  const [loaded, digitBytes, shapeBytes] = await Promise.all([load(), bytesOf("digits.mxg"), bytesOf("shapes.mxg")]);
  mixgrad = loaded;
  digits = new mixgrad.Model(digitBytes);
  digits.predict(new Float32Array(64)); // the first run prepares the weights
  lookAtDigit();
  useModel(shapeBytes, "shapes.mxg");
  say(`mixgrad ${mixgrad.version}, ready ${(performance.now() - begun).toFixed(0)} ms after the page.`);
}

/** Settles when the networks can answer; tests wait for it. */
export const ready = start().catch((error) => {
  say(`The networks could not be loaded: ${error.message}`, true);
  throw error;
});
