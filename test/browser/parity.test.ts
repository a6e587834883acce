import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { someIdentifier } from './alert-data.ts';
import { assertNoOffences, programFixture, skip } from './browser.ts';

interface Row {
  readonly name: string;
  readonly page: string;
  /** Address that does its work here; empty: the remark gives the reason, or `later`. */
  readonly here: string;
  readonly remark: string;
}

const [, ...lines] = readFileSync(join(import.meta.dirname, 'parity.tsv'), 'utf8')
  .trimEnd()
  .split('\n');
const rows: Row[] = lines.map((line) => {
  const [name = '', page = '', here = '', remark = ''] = line.split('\t');
  return { name, page, here, remark };
});

it('the table says for each page of the public interfaces what does its work, or why it is not missed', () => {
  assert.ok(rows.length > 40);
  for (const { name, page, here, remark } of rows) {
    assert.ok(name !== '' && page !== '' && remark !== '', `${name} ${page}`);
    if (remark === 'later') assert.ok(here === '' && name !== 'howler-ui', `${name} ${page}`);
  }
});

describe('the pages that do the work of the public ones', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });

  /** Returns the first identifiers of the demo, by the names that the table uses. */
  async function identifiers(): Promise<Readonly<Record<string, string>>> {
    const first = (kind: string, ...path: readonly string[]) => someIdentifier(fixture.program, kind, ...path);
    return {
      alert: await first('hit', 'howler', 'id'),
      analytic: await first('analytic', 'analytic_id'),
      case: await first('case', 'case_id'),
      dossier: await first('dossier', 'dossier_id'),
      view: await first('view', 'view_id'),
      action: await first('action', 'action_id'),
      user: 'user',
    };
  }

  it('open', async () => {
    const ids = await identifiers();
    await using watched = await fixture.openSignedIn('/');
    const { page, offences } = watched;
    const addresses = rows
      .filter(({ here }) => here !== '' && !here.includes('{submission}'))
      .map(({ here }) => here.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? '')));
    for (const address of new Set(addresses)) {
      await page.goto(address);
      // A dialogue that an address opens hides the title from screen readers, but not from sight.
      const title = page.locator('h1');
      await title.waitFor();
      assert.notEqual(await title.textContent(), 'This page does not exist', address);
      await page.waitForLoadState('networkidle');
      assert.equal(await page.getByText('This page could not be shown').count(), 0, address);
    }
    assertNoOffences(offences);
  });
});
