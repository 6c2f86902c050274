// The page in a headless Chromium: digits are drawn with the mouse, pictures and a model dropped; answers and times are checked.
// MIXGRAD_SCREENSHOTS=FOLDER keeps pictures of it.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "../page/serve.js";
import { Browser, chromium } from "./browser.js";

const MOST_MILLISECONDS = 50;
const skip = chromium ? false : "there is no chromium (Debian: chromium)";

const arc = (x, y, rx, ry, from, to) =>
  Array.from({ length: 25 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / 24) * Math.PI) / 180;
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)];
  });
// Strokes of each digit in an area of 320 x 320.
const strokes = {
  0: [arc(160, 160, 65, 105, -90, 270)],
  1: [[[120, 95], [170, 50], [170, 275]]],
  2: [[...arc(160, 110, 65, 60, -160, 40), [95, 265], [235, 265]]],
  3: [[...arc(150, 105, 60, 52, -150, 90), ...arc(150, 215, 68, 58, -90, 150)]],
  4: [[[190, 270], [190, 50], [80, 200], [240, 200]]],
  5: [[[225, 55], [115, 55], [105, 145], ...arc(150, 205, 70, 65, -120, 140)]],
  6: [[[195, 45], [130, 120], ...arc(158, 205, 55, 62, 180, 530)]],
  7: [[[85, 60], [235, 60], [140, 275]]],
  8: [[...arc(160, 100, 50, 52, 90, 450), ...arc(160, 215, 60, 62, -90, 270)]],
  9: [[...arc(155, 115, 55, 60, 0, 360), [205, 170], [185, 275]]],
};

describe("page", { skip }, () => {
  let [server, browser, folder, origin] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "mixgrad-dropped-"));
    server = await serve();
    origin = `http://127.0.0.1:${server.address().port}`;
    browser = await Browser.open(`${origin}/page/`, 900, 860);
    await browser.run('import("./page.js").then(({ ready }) => ready)');
  });
  after(async () => {
    await browser.close();
    server.close();
    await rm(folder, { recursive: true });
  });

  const text = (id) => browser.run(`document.getElementById("${id}").textContent`);
  const center = (id) =>
    browser.run(`(({ left, top, width, height }) => [left + width / 2, top + height / 2])(
      document.getElementById("${id}").getBoundingClientRect())`);
  const click = async (id) => browser.stroke([await center(id)]);

  async function keep(name) {
    const to = process.env.MIXGRAD_SCREENSHOTS;
    if (to) await writeFile(join(to, `${name}.png`), await browser.screenshot());
  }

  /** Drops what a function of the page draws on a canvas, as a PNG file. */
  async function dropDrawing(id, name, draw) {
    const url = await browser.run(`(() => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 240, height: 180 });
      (${draw})(canvas.getContext("2d"));
      return canvas.toDataURL();
    })()`);
    await writeFile(join(folder, name), Buffer.from(url.split(",")[1], "base64"));
    await browser.drop(await center(id), join(folder, name));
  }

  test("names all ten digits, each within 50 ms", async (t) => {
    const [x, y] = await center("drawing");
    const side = await browser.run('document.getElementById("drawing").clientWidth');
    const times = [];
    for (const [digit, lines] of Object.entries(strokes)) {
      await click("clear");
      assert.equal(await text("digit-answer"), "");
      for (const line of lines) {
        await browser.stroke(line.map(([dx, dy]) => [x + ((dx - 160) * side) / 320, y + ((dy - 160) * side) / 320]));
      }
      assert.equal(await text("digit-answer"), `It is a ${digit}.`);
      times.push(Number(await browser.run('document.getElementById("digit").dataset.ms')));
    }
    t.diagnostic(`from ink to answer: ${Math.max(...times).toFixed(1)} ms at most`);
    assert.ok(Math.max(...times) < MOST_MILLISECONDS, times.join(", "));
  });

  test("names a digit of a dropped picture, light ink on dark paper", async () => {
    await dropDrawing("drawing", "zero.png", (pen) => {
      pen.fillStyle = "#123";
      pen.fillRect(0, 0, 240, 180);
      Object.assign(pen, { strokeStyle: "#fe9", lineWidth: 14 });
      pen.ellipse(120, 90, 34, 56, 0, 0, 7);
      pen.stroke();
    });
    await browser.until('document.getElementById("digit-answer").textContent === "It is a 0."');
  });

  test("names what is in a dropped picture", async (t) => {
    await dropDrawing("shown", "triangle.png", (pen) => {
      pen.fillStyle = "#335c81";
      pen.fillRect(0, 0, 240, 180);
      pen.fillStyle = "#f6ae2d";
      pen.moveTo(118, 25);
      pen.lineTo(200, 150);
      pen.lineTo(40, 146);
      pen.fill();
    });
    await browser.until('document.getElementById("picture-answer").textContent === "Triangle."');
    t.diagnostic(`picture: ${Number(await browser.run('document.getElementById("picture").dataset.ms')).toFixed(1)} ms`);
    await keep("page");
    for (const [i, name] of ["Star", "House", "Arrow"].entries()) {
      await browser.run(`document.getElementById("samples").children[${i}].click()`);
      assert.equal(await text("picture-answer"), `${name}.`);
    }
  });

  test("takes another packed model, and says when a file is neither", async () => {
    await browser.drop(await center("shown"), fileURLToPath(new URL("../page/models/digits.mxg", import.meta.url)));
    await browser.until('document.getElementById("model").textContent.startsWith("digits.mxg")');
    await writeFile(join(folder, "words.txt"), "no picture");
    await browser.drop(await center("shown"), join(folder, "words.txt"));
    await browser.until('/neither a picture/.test(document.getElementById("state").textContent)');
    await writeFile(join(folder, "broken.mxg"), "MXGMODEL and nothing more");
    await browser.drop(await center("shown"), join(folder, "broken.mxg"));
    await browser.until('/\\[.*\\]/.test(document.getElementById("state").textContent)');
  });

  test("fits a narrow, dark screen", async () => {
    await browser.ask("Emulation.setDeviceMetricsOverride", { width: 390, height: 1500, deviceScaleFactor: 1, mobile: true });
    const features = [{ name: "prefers-color-scheme", value: "dark" }];
    await browser.ask("Emulation.setEmulatedMedia", { features });
    assert.ok(await browser.run("document.documentElement.scrollWidth <= 390"));
    await keep("narrow");
    assert.deepEqual(browser.problems, []);
  });
});
