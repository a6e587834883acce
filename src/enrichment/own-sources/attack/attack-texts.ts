import type { WrittenAnnotation } from '../local-answers.ts';
import type { AttackEntry, AttackName } from './attack-library.ts';

const AND = new Intl.ListFormat('en');
/** Groups in a sentence, and in the details. */
const NAMED_GROUPS = 3;
const LISTED_GROUPS = 100;

/** Returns what the annotations of an object say. */
export function attackAnnotations(entry: AttackEntry, version: string | undefined): readonly WrittenAnnotation[] {
  const { id, kind, name, parent, platforms, aliases, groups, link } = entry;
  const part = parent === undefined ? '' : `, a part of ${shown(parent)}`;
  const statements = [
    context(name, `${id} is the ${kind} ${name} of MITRE ATT&CK${part}.`, { link }),
    ...stateAnnotations(entry),
    ...entry.tactics.map((tactic) => context(tactic.name, `It serves the tactic ${shown(tactic)}.`)),
    ...(platforms.length === 0 ? [] : [context(platforms.join(', '), `It applies to ${AND.format(platforms)}.`)]),
    ...(aliases.length === 0 ? [] : [context(aliases.join(', '), `It is also known as ${AND.format(aliases)}.`)]),
    ...(groups.length === 0 ? [] : [groupAnnotation(groups)]),
  ];
  return version === undefined ? statements : statements.map((statement) => ({ ...statement, version }));
}

function context(value: string, summary: string, changes: Partial<WrittenAnnotation> = {}): WrittenAnnotation {
  return { analytic: 'MITRE ATT&CK', type: 'context', value, summary, confidence: 1, ...changes };
}

function stateAnnotations({ id, isRevoked, isDeprecated, successor }: AttackEntry): readonly WrittenAnnotation[] {
  if (isRevoked) {
    const instead = successor === undefined ? '' : `; ${shown(successor)} replaces it`;
    return [context('revoked', `${id} is revoked${instead}.`)];
  }
  return isDeprecated ? [context('deprecated', `${id} is deprecated: ATT&CK no longer maintains it.`)] : [];
}

function groupAnnotation(groups: readonly AttackName[]): WrittenAnnotation {
  const named = AND.format(groups.slice(0, NAMED_GROUPS).map(shown));
  const summary =
    groups.length > NAMED_GROUPS
      ? `${groups.length} groups are known to use it, among them ${named}.`
      : `It is known to be used by ${named}.`;
  const details = groups.slice(0, LISTED_GROUPS).map((group) => `- ${shown(group)}`);
  return context(groups.length === 1 ? '1 group' : `${groups.length} groups`, summary, { details: details.join('\n') });
}

function shown({ id, name }: AttackName): string {
  return `${name} (${id})`;
}

/** Returns the description of an object with its surroundings, as Markdown. */
export function attackMarkdown(entry: AttackEntry): string {
  const { id, kind, name, link, tactics, platforms, description, groups } = entry;
  const rows = [
    ['Kind', kind],
    ['State', stateAnnotations(entry)[0]?.summary ?? ''],
    ['Tactics', tactics.map(shown).join(', ')],
    ['Platforms', platforms.join(', ')],
    ['Groups', groups.slice(0, LISTED_GROUPS).map(shown).join(', ')],
  ].filter(([, text]) => text !== '');
  return [
    `# ${id} ${name}`,
    rows.map(([title, text]) => `- **${title}**: ${text}`).join('\n'),
    withoutCitations(description),
    link === undefined ? '' : `[${link}](${link})`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Citations name a list of references that is not part of the text. */
function withoutCitations(description: string): string {
  return description
    .replace(/ ?\(Citation: [^()]{0,200}\)/g, '')
    .replace(/<\/?code>/g, '`')
    .trim();
}
