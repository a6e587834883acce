import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { en } from '../../ui/src/i18n/en/index.ts';
import { someIdentifier } from './alert-data.ts';
import { assertNoOffences, programFixture, skip } from './browser.ts';
import { settle, submitArchive } from './pages/page-states.ts';
import { countRequests } from './pages/pending-requests.ts';

interface Row {
  readonly name: string;
  readonly page: string;
  /** Address that does its work here; empty: the remark gives the reason, or `later`. */
  readonly here: string;
  readonly remark: string;
}

/** The words of pages in place of an object, or of themselves, that does not exist. */
const MISSING = [
  ...[en.shell.notFound.title, en.alert.gone.title, en.alerts.event.missing, en.cases.missing.title],
  ...[en.files.missing, en.saved.missing, en.views.missing, en.design.paneFailed, en.shell.missingPage],
];

const rows: Row[] = readTable('parity.tsv').map(([name = '', page = '', here = '', remark = '']) => {
  return { name, page, here, remark };
});

/**
 * Routes of the public interfaces, as their sources declare them.
 * The sources: `App.tsx` of CybercentreCanada/howler (8a3568f7)
 * and of CybercentreCanada/clue (da3e2937), `routes.tsx` of CybercentreCanada/assemblyline-ui-frontend (20443c86).
 */
const publicRoutes = readTable('public-routes.tsv');

/** Returns the cells of each line but the first. */
function readTable(file: string): string[][] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => line.split('\t'));
}

it('the table says for each page of the public interfaces what does its work, or why it is not missed', () => {
  for (const { name, page, here, remark } of rows) {
    assert.ok(name !== '' && page !== '' && remark !== '', `${name} ${page}`);
    if (remark === 'later') assert.ok(here === '' && name !== 'howler-ui', `${name} ${page}`);
  }
});

it('the table has each public route once, and no other one', () => {
  const covers = ({ name, page }: Row, [interfaceName, route = '']: readonly string[]) =>
    name === interfaceName &&
    (page === route || (page.endsWith('/*') && `${route}/`.startsWith(page.slice(0, -1)) && !page.includes(':')));
  for (const route of publicRoutes) {
    assert.equal(rows.filter((row) => covers(row, route)).length, 1, route.join(' '));
  }
  for (const row of rows) {
    assert.ok(
      publicRoutes.some((route) => covers(row, route)),
      `${row.name} ${row.page}`,
    );
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
    countRequests(watched.context);
    await submitArchive(page);
    const submission = new URL(page.url()).pathname.split('/').at(-1);
    const idOf = (name: string) => {
      const id = name === 'submission' ? submission : ids[name];
      assert.ok(id, `{${name}} of parity.tsv`);
      return encodeURIComponent(id);
    };
    const addresses = rows
      .filter(({ here }) => here !== '')
      .map(({ here }) => here.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name)));
    for (const address of new Set(addresses)) {
      await page.goto(address);
      // A dialogue that an address opens hides the title from screen readers, but not from sight.
      const title = page.locator('h1');
      await title.waitFor();
      await settle(page);
      for (const words of MISSING) assert.equal(await page.getByText(words).count(), 0, `${address}: ${words}`);
    }
    assertNoOffences(offences);
  });
});
