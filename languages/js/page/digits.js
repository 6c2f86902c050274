// From ink on a canvas to the 8 x 8 pixels that the network was trained on.

const SIDE = 32;

/** How dark each pixel is, 0 to 1; what is transparent is light. */
function darkness(image) {
  const { data, width, height } = image;
  const dark = new Float32Array(width * height);
  for (let i = 0; i < dark.length; ++i) {
    const light = (0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2]) / 255;
    dark[i] = ((1 - light) * data[4 * i + 3]) / 255;
  }
  return { dark, width, height };
}

/** The threshold between ink and paper that parts the two best (Otsu 1979), and whether ink is the lighter one. */
function threshold(dark, width) {
  const counts = new Array(64).fill(0);
  for (const value of dark) counts[Math.min(63, Math.max(0, Math.floor(value * 64)))] += 1;
  const total = dark.length;
  const sum = counts.reduce((acc, count, level) => acc + count * level, 0);
  let [best, at, below, sumBelow] = [-1, 0, 0, 0];
  for (let level = 0; level < 63; ++level) {
    below += counts[level];
    sumBelow += counts[level] * level;
    if (below === 0 || below === total) continue;
    const apart = sumBelow / below - (sum - sumBelow) / (total - below);
    const between = below * (total - below) * apart * apart;
    if (between > best) [best, at] = [between, level];
  }
  if (best < 0) return null; // one shade only
  const limit = (at + 1) / 64;
  // Paper is what most of the border is.
  const height = dark.length / width;
  let border = 0;
  for (let x = 0; x < width; ++x) border += (dark[x] > limit) + (dark[(height - 1) * width + x] > limit);
  for (let y = 0; y < height; ++y) border += (dark[y * width] > limit) + (dark[y * width + width - 1] > limit);
  return { limit, inverted: border > width + height };
}

/** 64 values from 0 to 1, or null where there is no ink. */
export function pixelsOf(image) {
  const { dark, width, height } = darkness(image);
  const found = threshold(dark, width);
  if (!found) return null;
  const ink = (x, y) => dark[y * width + x] > found.limit !== found.inverted;
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      if (!ink(x, y)) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  }
  if (right < 0) return null;
  // The digit fills the height; a narrow one stays narrow, in the middle.
  const [w, h] = [right - left + 1, bottom - top + 1];
  const scale = SIDE / Math.max(w, h);
  const [shiftX, shiftY] = [(SIDE - w * scale) / 2, (SIDE - h * scale) / 2];
  const pixels = new Float32Array(64);
  for (let y = 0; y < SIDE; ++y) {
    for (let x = 0; x < SIDE; ++x) {
      const from = [Math.floor((x + 0.5 - shiftX) / scale) + left, Math.floor((y + 0.5 - shiftY) / scale) + top];
      const inside = from[0] >= left && from[0] <= right && from[1] >= top && from[1] <= bottom;
      if (inside && ink(...from)) pixels[(y >> 2) * 8 + (x >> 2)] += 1 / 16;
    }
  }
  return pixels;
}
