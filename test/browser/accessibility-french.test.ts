import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertNoOffences, programFixture, skip } from './browser.ts';
import { accessibilityProblems } from './pages/accessibility-check.ts';
import { EXPECTED_ERRORS, pageStates, submitArchive, visitStates } from './pages/page-states.ts';

// In a file of its own: it runs beside the walk through the English pages.
describe('the French pages', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });

  it('keep the rules in every state: axe-core in French', async () => {
    await using watched = await fixture.openSignedIn('/', { theme: 'light', language: 'fr', reducedMotion: 'reduce' });
    const { page, offences } = watched;
    const states = await pageStates(fixture.program, page);
    await submitArchive(page);
    const problems: string[] = [];
    await visitStates(page, states, async (name) => {
      // The dark theme differs by its colours alone, which the English words are checked for.
      const found = await accessibilityProblems(page);
      problems.push(...found.map((problem) => `${name}: ${problem}`));
    });
    assert.deepEqual(problems, []);
    assertNoOffences(offences, EXPECTED_ERRORS);
  });
});
