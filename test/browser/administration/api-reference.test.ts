import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

describe('the API reference', { skip }, () => {
  const fixture = programFixture();

  it('describes every service in the frame of all pages', async () => {
    await using watched = await fixture.openSignedIn('/api-reference');
    const { page, offences } = watched;
    for (const [tab, path] of [
      ['Alerts', '/api/v1/hit/{id}/transition'],
      ['Analysis', '/api/v4/submission/full/{sid}/'],
      ['Enrichment', '/api/v1/lookup/types/'],
      ['Operations', '/v1/lock-outs'],
      ['Web session', '/session/preferences'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel').getByText(path, { exact: true }).first().waitFor();
      assert.deepEqual(await accessibilityProblems(page, '#content'), [], tab);
    }
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
    assertNoOffences(offences);
  });

  it('shows operations to administrators alone, and says which right is missing (fr, light)', async () => {
    await using watched = await fixture.openSignedIn('/api-reference?service=enrichment', {
      theme: 'light',
      language: 'fr',
      as: { user: 'user' },
    });
    const { page, offences } = watched;
    await page.getByRole('tab', { name: 'Enrichissement' }).waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Exploitation' }).count(), 0);
    const refused = await page.evaluate(async () => (await fetch('/services/operations/v1/openapi.json')).status);
    assert.equal(refused, 403);
    assertNoOffences(offences, REFUSED_REQUESTS);
  });
});
