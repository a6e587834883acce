import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { programFixture, skip } from '../browser.ts';
import { contrast } from './contrast.ts';
import { openDecoder, type Picture } from './decoded-picture.ts';

/** Ways to see: as everyone, without colour, and with each kind of colour blindness. */
const VISIONS = ['none', 'achromatopsia', 'deuteranopia', 'protanopia', 'tritanopia'] as const;
const KINDS = { severity: 5, status: 4, escalation: 4, opinion: 5 } as const;
/** Pixels of a mark at four times its size; and how many of them have to differ between two shapes. */
const SCALE = 4;
const MIN_DIFFERENCE = 100;
/** WCAG 1.4.11. */
const MIN_CONTRAST = 3;

describe('marks', { skip }, () => {
  const fixture = programFixture();

  /** Returns a picture of each mark of a kind. */
  async function picturesOf(page: Page, devTools: CDPSession, decode: (png: string) => Promise<Picture>, kind: string) {
    const boxes = await page
      .getByTestId(kind)
      .locator('svg')
      .evaluateAll((marks) => marks.map((mark) => mark.getBoundingClientRect().toJSON()));
    const pictures: Picture[] = [];
    for (const { x, y, width, height } of boxes) {
      const clip = { x, y, width, height, scale: SCALE };
      const { data } = await devTools.send('Page.captureScreenshot', { format: 'png', clip });
      pictures.push(await decode(data));
    }
    return pictures;
  }

  /** Returns which pixels stand out from the corner, where no shape reaches. */
  const shapeOf = ({ colours }: Picture) => colours.map((colour) => contrast(colour, colours[0] ?? '') >= MIN_CONTRAST);

  const seen = [
    ...(['dark', 'light'] as const).flatMap((theme) => VISIONS.map((vision) => ({ theme, vision, forced: false }))),
    { theme: 'dark', vision: 'none', forced: true } as const,
    { theme: 'light', vision: 'none', forced: true } as const,
  ];
  for (const { theme, vision, forced } of seen) {
    it(`differ by their shape: ${theme}, ${forced ? 'forced colours' : `vision ${vision}`}`, async () => {
      await using gallery = await fixture.openGallery('marks', { theme, forcedColors: forced ? 'active' : 'none' });
      const { page, context } = gallery;
      const decode = await openDecoder(context);
      const devTools = await context.newCDPSession(page);
      await devTools.send('Emulation.setEmulatedVisionDeficiency', { type: vision });
      for (const [kind, count] of Object.entries(KINDS)) {
        const pictures = await picturesOf(page, devTools, decode, kind);
        assert.equal(pictures.length, count, kind);
        if (vision === 'achromatopsia') {
          const coloured = pictures.flatMap(({ colours }) => colours).filter((colour) => !isGrey(colour));
          assert.deepEqual(coloured, [], 'the picture is without colour');
        }
        const shapes = pictures.map(shapeOf);
        for (const [index, shape] of shapes.entries()) {
          assert.ok(shape.some(Boolean), `mark ${index} of ${kind} is seen`);
          for (const [other, another] of shapes.entries()) {
            if (other <= index) continue;
            const difference = shape.filter((isSet, pixel) => isSet !== another[pixel]).length;
            assert.ok(difference >= MIN_DIFFERENCE, `marks ${index} and ${other} of ${kind}: ${difference} pixels`);
          }
        }
      }
    });
  }
});

/** The emulation rounds each part of a colour by itself. */
function isGrey(colour: string): boolean {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return Math.max(...parts) - Math.min(...parts) <= 4;
}
