import { domainToUnicode } from 'node:url';
import { excerpt } from '../local-answers.ts';
import { type Fact, fact } from './fact.ts';

/** Scripts of letters in domain names; other letters count as one further script. */
const SCRIPTS = (
  'Latin Cyrillic Greek Armenian Georgian Cherokee Hebrew Arabic Devanagari Bengali Tamil Thai ' +
  'Han Hiragana Katakana Hangul Bopomofo Ethiopic'
)
  .split(' ')
  .map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const);

/** Scripts that one language writes together (Unicode UTS 39, highly restrictive). */
const TOGETHER = ['Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul'].map((scripts) =>
  scripts.split(' '),
);

/** Letters of other scripts, each followed by the letter of ASCII that it looks like. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  (
    'аa сc ԁd еe һh іi јj ӏl оo рp ԛq ѕs ԝw хx уy кk вb нh пn гr ьb ' +
    'αa οo ρp νv υu ιi κk τt γy χx ηn ωw εe ' +
    'օo ոn սu ցg հh զq ɑa ɡg ɩi ᴄc ᴏo ᴠv ᴡw ᴢz'
  )
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

/** Countries whose names are written in a script with many look-alikes. */
const AT_HOME: Readonly<Record<string, ReadonlySet<string>>> = {
  Cyrillic: new Set('ru su by ua bg kz kg mk mn rs tj uz me'.split(' ')),
  Greek: new Set(['gr', 'cy']),
  Armenian: new Set(['am']),
};

/** Returns the Unicode form of a name in ASCII, and what is conspicuous in its letters. */
export function internationalNameFacts(ascii: string): readonly Fact[] {
  if (!/(?:^|\.)xn--/.test(ascii)) return [];
  const name = domainToUnicode(ascii);
  const broken = (name === '' ? ascii : name).split('.').find((label) => label.startsWith('xn--'));
  if (broken !== undefined) {
    const summary = `The label "${excerpt(broken)}" looks like an internationalized name, but its Punycode is invalid.`;
    return [fact('invalid-punycode', summary, { severity: 0.3 })];
  }
  const labels = name.split('.').filter(isInternational);
  const suffix = ascii.slice(ascii.lastIndexOf('.') + 1);
  return [
    fact('internationalized-name', `In Unicode the name is "${excerpt(name, 300)}".`),
    ...labels.flatMap((label) => labelFacts(label, suffix)),
  ];
}

function isInternational(label: string): boolean {
  return /[^ -~]/.test(label);
}

function labelFacts(label: string, suffix: string): readonly Fact[] {
  const scripts = scriptsOf(label);
  const isMixed = scripts.length > 1 && !TOGETHER.some((set) => scripts.every((script) => set.includes(script)));
  const shown = excerpt(label);
  const facts: Fact[] = [];
  if (isMixed) {
    const summary = `The label "${shown}" mixes letters of the scripts ${scripts.join(' and ')}.`;
    facts.push(fact('mixed-script', summary, { severity: 0.5 }));
  }
  const isAtHome = scripts.length === 1 && (isForeign(suffix) || AT_HOME[scripts[0] ?? '']?.has(suffix) === true);
  const latin = isAtHome ? undefined : lookAlikeOf(label);
  if (latin !== undefined) {
    const summary = `The label "${shown}" has letters of ${scripts.join(' and ')} and can be mistaken for "${latin}".`;
    facts.push(fact('confusable', summary, { confidence: isMixed ? 0.8 : 0.5, severity: 0.6 }));
  }
  return facts;
}

function isForeign(suffix: string): boolean {
  return suffix.startsWith('xn--');
}

function scriptsOf(label: string): readonly string[] {
  const scripts = new Set<string>();
  for (const letter of label) {
    if (!/\p{L}/u.test(letter)) continue;
    scripts.add(SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0] ?? 'another script');
  }
  return [...scripts];
}

/** Returns the ASCII string that a label looks like; undefined if a letter looks like none. */
function lookAlikeOf(label: string): string | undefined {
  const latin = [...label].map((letter) => LOOK_ALIKES.get(letter) ?? letter).join('');
  return isInternational(latin) ? undefined : latin;
}
