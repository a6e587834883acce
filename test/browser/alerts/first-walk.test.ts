import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { TestProgram } from '../../../src/testing/start-test-program.ts';
import { until } from '../../../src/testing/until.ts';
import { sendJson, storedAlert } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';

const TITLE = 'Ransomware on the laptop of accounting';
/** Clicks and filled fields of the whole walk at most. */
const MAX_STEPS = 14;
const MAX_MS = 120_000;

/** The words of the walk, as a person finds them on the screen. */
const WORDS = {
  en: {
    user: 'User name',
    password: 'Password',
    signIn: 'Sign in',
    worst: 'Most severe, open',
    critical: 'Critical',
    assess: 'Assess',
    compromise: 'Compromise',
    reason: 'Reason',
    assessed: 'Assessed: Compromise.',
    file: 'File into a case',
    title: 'Case',
    submit: 'File',
    filed: 'Filed into the case.',
    cases: 'Cases',
  },
  fr: {
    user: 'Nom d’utilisateur',
    password: 'Mot de passe',
    signIn: 'Se connecter',
    worst: 'Les plus graves, ouvertes',
    critical: 'Critique',
    assess: 'Évaluer',
    compromise: 'Compromission',
    reason: 'Motif',
    assessed: 'Évaluée : Compromission.',
    file: 'Classer dans un cas',
    title: 'Cas',
    submit: 'Classer',
    filed: 'Classée dans le cas.',
    cases: 'Cas',
  },
} as const;

/** Uses a page by the words that are seen on it, and counts what it does. */
class Reader {
  steps = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Returns the first place in sight that says the words alone, or within a part contains them. */
  see(words: string, within?: Locator): Locator {
    const places = within?.getByText(words) ?? this.#page.getByText(words, { exact: true });
    return places.filter({ visible: true }).first();
  }

  async press(words: string, within?: Locator): Promise<void> {
    this.steps += 1;
    await this.see(words, within).click();
  }

  /** Clicks the words above a field and types. */
  async fill(words: string, typed: string, within: Page | Locator = this.#page): Promise<void> {
    this.steps += 1;
    // "Optional" may follow in the same label.
    await within
      .locator('label')
      .filter({ hasText: new RegExp(`^${words}`), visible: true })
      .first()
      .click();
    await this.#page.keyboard.type(typed);
  }
}

/** Returns an alert, and the highest severity of all open ones: several alerts may have it. */
async function besideWorst(program: TestProgram, id: string) {
  const search = (query: string) =>
    sendJson(program, '/api/v1/search/hit', { query, sort: 'event.severity desc', rows: 1 });
  const [found, worst] = await Promise.all([search(`howler.id:${id}`), search('howler.status:open')]);
  return { alert: found.items[0], highest: worst.items[0].event.severity };
}

for (const [language, theme] of [
  ['en', 'dark'],
  ['fr', 'light'],
] as const) {
  describe(`a person who reads nothing (${language}, ${theme})`, { skip }, () => {
    const fixture = programFixture({ demo: 'all' });

    it('finds, assesses and files the worst open alert by the words on the screen', async (test) => {
      const words = WORDS[language];
      await using watched = await fixture.open({ language, theme });
      const { page, offences } = watched;
      const reader = new Reader(page);
      const start = performance.now();

      await page.goto('/');
      await reader.fill(words.user, 'admin');
      await reader.fill(words.password, 'admin');
      await reader.press(words.signIn);

      // The worst alert is the first one below the words that say so.
      await reader.see(words.worst).waitFor();
      await reader.press(words.critical);
      await page.waitForURL(/[?&]id=/);
      const id = new URL(page.url()).searchParams.get('id') ?? '';
      const { alert, highest } = await besideWorst(fixture.program, id);
      assert.equal(alert.event.severity, highest);
      for (const why of [
        words.critical,
        alert.howler.outline.summary,
        alert.message,
        ...alert.howler.outline.indicators,
      ]) {
        await reader.see(why).waitFor();
      }

      await reader.press(words.assess);
      const dialog = page.getByRole('dialog');
      await reader.press(words.compromise, dialog);
      await reader.fill(words.reason, 'Backups are gone', dialog);
      await reader.press(words.assess, dialog.getByRole('button'));
      await reader.see(words.assessed).waitFor();

      await reader.press(words.file);
      await reader.fill(words.title, TITLE, dialog);
      await reader.press(TITLE, page.getByRole('option'));
      await reader.press(words.submit, dialog.getByRole('button'));
      await reader.see(words.filed).waitFor();
      await reader.press(words.cases, page.getByRole('tab'));
      await reader.press(TITLE);
      await page.getByRole('heading', { name: TITLE }).waitFor();

      const took = performance.now() - start;
      test.diagnostic(`${reader.steps} steps in ${Math.round(took / 100) / 10} s`);
      assert.ok(reader.steps <= MAX_STEPS, `${reader.steps} steps`);
      assert.ok(took < MAX_MS, `${took} ms`);
      const stored = () => storedAlert(fixture.program, id);
      await until('the alert is in the case', async () => (await stored()).related.length === 1);
      const { assessment, rationale, escalation } = await stored();
      assert.deepEqual([assessment, rationale, escalation], ['compromise', 'Backups are gone', 'evidence']);
      assertNoOffences(offences);
    });
  });
}
