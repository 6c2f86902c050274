// Pictures to try, for those who have none at hand.

const SIDE = 160;

const outlines = {
  star: Array.from({ length: 10 }, (_, i) => {
    const [angle, radius] = [((i - 2.5) * Math.PI) / 5, i % 2 ? 26 : 60];
    return [80 + radius * Math.cos(angle), 86 + radius * Math.sin(angle)];
  }),
  house: [[80, 24], [136, 72], [122, 72], [122, 134], [38, 134], [38, 72], [24, 72]],
  arrow: [[24, 66], [82, 66], [82, 36], [138, 80], [82, 124], [82, 94], [24, 94]],
};
const colours = { star: ["#274690", "#ffd23f"], house: ["#8fc0a9", "#9b3d2e"], arrow: ["#f1e3d3", "#3c6e71"] };

/** A canvas with the shape, by name. */
export function sample(name) {
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  const pen = canvas.getContext("2d");
  [pen.fillStyle] = colours[name];
  pen.fillRect(0, 0, SIDE, SIDE);
  [, pen.fillStyle] = colours[name];
  pen.beginPath();
  outlines[name].forEach((point) => pen.lineTo(...point));
  pen.fill();
  return canvas;
}

export const sampleNames = Object.keys(outlines);
