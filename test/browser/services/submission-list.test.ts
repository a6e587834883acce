import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { ADMIN, sendJson } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';

/** A page of 1280 × 1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 };

describe('lists of submissions and cases', { skip }, () => {
  const fixture = programFixture();
  before(async () => {
    const json = { plaintext: 'hello from example.org', name: 'hello.txt' };
    const options = { service: 'analysis', method: 'POST', json } as const;
    const headers = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };
    const { json: answer, text } = await fixture.program.request('/api/v4/submit/', { ...options, headers });
    const sid = answer?.api_response?.sid;
    assert.ok(sid, text);
    await until('the submission is complete', async () => {
      const { json: state } = await fixture.program.request(`/api/v4/submission/is_completed/${sid}/`, {
        service: 'analysis',
        headers,
      });
      return state.api_response === true;
    });
    await sendJson(fixture.program, '/api/v2/case', { title: 'One case', summary: 'A case' }, { basic: ADMIN });
  });

  it('complete values of submissions with their counts', async () => {
    await using watched = await fixture.openSignedIn('/files');
    const { page, offences } = watched;
    await page.getByText('1 submission', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.type('state:');
    await page.getByRole('option', { name: /completed.*1 record/ }).waitFor();
    assertNoOffences(offences);
  });

  const isFirstRowSeen = async (page: Page) => {
    const row = page
      .getByRole('row')
      .filter({ hasNot: page.getByRole('columnheader') })
      .first();
    await row.scrollIntoViewIfNeeded();
    const box = await row.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= ZOOMED.height;
  };

  it('have rows in sight on a page at 400 %', async () => {
    await using watched = await fixture.openSignedIn('/files', ZOOMED);
    const { page, offences } = watched;
    await page.getByText('1 submission', { exact: true }).waitFor();
    await until('a submission is in sight', () => isFirstRowSeen(page));
    await page.goto('/cases');
    await page.getByText('One case').first().waitFor();
    await until('a case is in sight', () => isFirstRowSeen(page));
    assertNoOffences(offences);
  });
});
