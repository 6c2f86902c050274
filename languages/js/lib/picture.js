// Pictures as inputs of networks, made as `mixgrad run` makes them.

/** Luma of each pixel as ITU-R 601 weighs colours, in one plane; or the planes red, green and blue. */
function planesOf({ data, width, height }, channels) {
  const size = width * height;
  if (data.length !== 4 * size) {
    throw new RangeError(`[picture] ${width} x ${height} pixels of 4 bytes are ${4 * size} bytes, got ${data.length}`);
  }
  if (channels === "gray") {
    const plane = new Uint8ClampedArray(size);
    for (let i = 0; i < size; ++i) {
      plane[i] = (19595 * data[4 * i] + 38470 * data[4 * i + 1] + 7471 * data[4 * i + 2] + 32768) >> 16;
    }
    return [plane];
  }
  return (channels === "bgr" ? [2, 1, 0] : [0, 1, 2]).map((c) => {
    const plane = new Uint8ClampedArray(size);
    for (let i = 0; i < size; ++i) plane[i] = data[4 * i + c];
    return plane;
  });
}

/** Which of `from` pixels make up each of `to` pixels: a tent over as many as one of the new pixels covers, two at least. */
function weights(from, to) {
  const step = from / to;
  const reach = Math.max(step, 1);
  return Array.from({ length: to }, (_, i) => {
    const center = (i + 0.5) * step;
    const first = Math.max(0, Math.floor(center - reach + 0.5));
    const last = Math.min(from, Math.floor(center + reach + 0.5));
    const shares = Array.from({ length: last - first }, (_, k) =>
      Math.max(0, 1 - Math.abs((first + k + 0.5 - center) / reach)),
    );
    const sum = shares.reduce((total, share) => total + share, 0);
    return { first, shares: shares.map((share) => share / sum) };
  });
}

/** Rows of another length, turned: the result has a row for each column. */
function resizeRows(plane, width, height, to) {
  if (width === to) {
    return Uint8ClampedArray.from({ length: plane.length }, (_, i) => plane[(i % height) * width + Math.floor(i / height)]);
  }
  const out = new Uint8ClampedArray(to * height);
  weights(width, to).forEach(({ first, shares }, x) => {
    for (let y = 0; y < height; ++y) {
      let sum = 0;
      for (let k = 0; k < shares.length; ++k) sum += shares[k] * plane[y * width + first + k];
      out[x * height + y] = sum;
    }
  });
  return out;
}

function resize(plane, width, height, toWidth, toHeight) {
  return resizeRows(resizeRows(plane, width, height, toWidth), height, toWidth, toHeight);
}

/** The numbers of a picture ({ data: RGBA, width, height }, such as ImageData; transparency is ignored). */
export function inputOf(picture, format) {
  const [, channels, height, width] = format.shape;
  if (format.shape.length !== 4 || channels !== (format.channels === "gray" ? 1 : 3)) {
    throw new TypeError(`[picture] a ${format.channels} picture does not fit an input of shape (${format.shape.join(", ")})`);
  }
  let [w, h] = [width, height];
  if (format.resize > 0) {
    const share = format.resize / Math.min(picture.width, picture.height);
    [w, h] = [Math.max(width, Math.round(picture.width * share)), Math.max(height, Math.round(picture.height * share))];
  }
  const [left, top] = [Math.floor((w - width) / 2), Math.floor((h - height) / 2)];
  const values = new Float32Array(channels * height * width);
  planesOf(picture, format.channels).forEach((plane, c) => {
    const sized = resize(plane, picture.width, picture.height, w, h);
    const mean = format.mean[c] ?? format.mean[0];
    const std = format.std[c] ?? format.std[0];
    for (let y = 0; y < height; ++y) {
      for (let x = 0; x < width; ++x) {
        const pixel = sized[(top + y) * w + left + x];
        values[(c * height + y) * width + x] = (pixel * format.scale - mean) / std;
      }
    }
  });
  return values;
}
