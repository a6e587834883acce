import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { contrast } from './contrast.ts';

const TOKENS = readFileSync(join(import.meta.dirname, '../../../ui/src/design/tokens.css'), 'utf8');
const SURFACES = ['ground', 'panel', 'raised', 'selected'];

/** Foregrounds, the surfaces on which they are drawn, and the least contrast (WCAG 1.4.3 and 1.4.11). */
const PAIRS = [
  { foregrounds: ['text-1', 'text-2', 'text-3'], surfaces: SURFACES, least: 4.5 },
  { foregrounds: ['accent', 'critical', 'high', 'medium', 'low', 'done'], surfaces: SURFACES, least: 4.5 },
  { foregrounds: ['edge'], surfaces: SURFACES, least: 3 },
  { foregrounds: ['on-accent'], surfaces: ['accent'], least: 4.5 },
] as const;

describe('colours', () => {
  for (const theme of ['dark', 'light'] as const) {
    it(`of the ${theme} theme reach the contrast of WCAG 2.2 AA`, () => {
      const colours = coloursOf(theme);
      const missed = PAIRS.flatMap(({ foregrounds, surfaces, least }) =>
        foregrounds.flatMap((foreground) =>
          surfaces.flatMap((surface) => {
            const reached = contrast(colourOf(colours, foreground), colourOf(colours, surface));
            return reached >= least ? [] : [`${theme}: ${foreground} on ${surface} ${reached.toFixed(2)} of ${least}`];
          }),
        ),
      );
      assert.deepEqual(missed, []);
    });
  }

  it('are computed as WCAG does', () => {
    assert.equal(contrast('#000000', '#ffffff').toFixed(2), '21.00');
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  });
});

function coloursOf(theme: string): ReadonlyMap<string, string> {
  const block = new RegExp(`\\[data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(TOKENS)?.[1] ?? '';
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

function colourOf(colours: ReadonlyMap<string, string>, name: string): string {
  const colour = colours.get(name);
  assert.ok(colour !== undefined, `tokens.css has no colour ${name}`);
  return colour;
}
