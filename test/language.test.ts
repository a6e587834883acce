import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const MAX_FIRST_LINE = 100;

/** Wording that has a plain technical equivalent (CONTRIBUTING.md, How we write). */
const AVOIDED =
  /\b(whoever|whatever|somebody|nobody|everybody|anybody|for ever|anew|besides|makes place|goes on|going on|let in|lets in|a text(?! field)|is no (?:network|valid|faithful|longer a|text|number|object|list)|begin again|takes no words)\b/i;

/** How a fragment begins that belongs to a sentence. */
const FRAGMENT = /^(Of|As|In a|What|Who|Whoever|Whether|Where|Which|How|Those|Likewise|The same)\b/;

const sources = globSync('{src,test,bench,ui/src}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (file) => file !== 'test/language.test.ts' && !file.startsWith('ui/src/api/generated/'),
);
const pages = globSync('{*.md,docs/**/*.md}', { cwd: ROOT });

describe('docstrings', () => {
  const docstrings = sources.flatMap(docstringsOf);

  it('begin with a capital and a complete sentence', () => {
    refuse(docstrings, ({ sentence }) =>
      /^[a-z]/.test(sentence) || FRAGMENT.test(sentence) ? `begins "${sentence.slice(0, 40)}"` : undefined,
    );
  });

  it('end with a full stop', () => {
    refuse(docstrings, ({ sentence }) => (/[.:`)?!]$/.test(sentence) ? undefined : `ends "${sentence.slice(-40)}"`));
  });

  it(`have a first line of at most ${MAX_FIRST_LINE} characters`, () => {
    refuse(docstrings, ({ firstLine }) =>
      firstLine.length > MAX_FIRST_LINE ? `has a first line of ${firstLine.length} characters` : undefined,
    );
  });

  it('use the words of the field', () => {
    refuse(docstrings, ({ text }) => avoidedWord(text));
  });
});

describe('comments and titles of tests', () => {
  it('use the words of the field', () => {
    const lines = sources.flatMap((file) =>
      linesOf(file).flatMap((line, index) => {
        const [, comment, title] = /^\s*\/\/(.*)|\b(?:it|describe)\(\s*(['`].*)/.exec(line) ?? [];
        const text = comment ?? title;
        return text === undefined ? [] : [{ place: `${file}:${index + 1}`, text }];
      }),
    );
    refuse(lines, ({ text }) => avoidedWord(text));
  });
});

describe('messages', () => {
  it('use the words of the field', () => {
    const messages = sources
      .filter((file) => (file.startsWith('src/') || file.startsWith('ui/src/')) && !file.endsWith('.test.ts'))
      .flatMap((file) =>
        linesOf(file).flatMap((line, index) =>
          [...line.matchAll(/(['`])((?:(?!\1)[^\\]|\\.)*)\1/g)].map((match) => ({
            place: `${file}:${index + 1}`,
            text: match[2] ?? '',
          })),
        ),
      );
    refuse(messages, ({ text }) => avoidedWord(text));
  });
});

describe('documentation', () => {
  it('uses the words of the field', () => {
    const lines = pages.flatMap((file) =>
      linesOf(file).map((text, index) => ({ place: `${file}:${index + 1}`, text: text.replaceAll(/`[^`]*`/g, '') })),
    );
    refuse(lines, ({ text }) => avoidedWord(text));
  });
});

interface Docstring {
  readonly place: string;
  readonly text: string;
  readonly firstLine: string;
  /** Everything before the first tag. */
  readonly sentence: string;
}

function docstringsOf(file: string): Docstring[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  return [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map((match) => {
    const lines = (match[1] ?? '').split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trim());
    const text = lines.filter((line) => line !== '').join(' ');
    return {
      place: `${file}:${source.slice(0, match.index).split('\n').length}`,
      text,
      firstLine: lines.find((line) => line !== '') ?? '',
      sentence: text.split(/(?:^|\s)@\w+/)[0]?.trim() || 'Tags only.',
    };
  });
}

function avoidedWord(text: string): string | undefined {
  const found = AVOIDED.exec(text);
  return found === null ? undefined : `says "${found[0]}"`;
}

function linesOf(file: string): string[] {
  return readFileSync(join(ROOT, file), 'utf8').split('\n');
}

function refuse<T extends { readonly place: string }>(
  things: readonly T[],
  reasonAgainst: (thing: T) => string | undefined,
): void {
  const offences = things.flatMap((thing) => {
    const reason = reasonAgainst(thing);
    return reason === undefined ? [] : [`${thing.place} ${reason}`];
  });
  assert.ok(offences.length === 0, `${offences.length} offences\n${offences.join('\n')}`);
}
