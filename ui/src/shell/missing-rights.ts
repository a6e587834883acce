import type { ApiProblem } from '../api/problem.ts';
import type { Session } from '../api/session.ts';
import type { Translate } from '../i18n/translation.ts';

const PRIVILEGES = ['R', 'W', 'E', 'I'] as const;

/**
 * Returns which right a session lacks, in the language of the reader, for a refusal whose sentence
 * does not say it; undefined for other refusals.
 */
export function missingRight(
  { code, needs }: Pick<ApiProblem, 'code' | 'needs'>,
  { key, privileges }: Pick<Session, 'key' | 'privileges'>,
  t: Translate,
  language: string,
): string | undefined {
  const names = (of: readonly string[]) => of.map((name) => privilegeName(name, t));
  const oneOf = (of: readonly string[]) => new Intl.ListFormat(language, { type: 'disjunction' }).format(of);
  const allOf = (of: readonly string[]) => new Intl.ListFormat(language, { type: 'conjunction' }).format(of);
  if (code === 'privilege_not_held' && key !== null) return t('shell.rights.fullScope', { key });
  if (needs.length === 0) return undefined;
  if (code === 'missing_role') return t('shell.rights.role', { needed: oneOf(needs) });
  if (code !== 'missing_privilege') return undefined;
  const needed = oneOf(names(needs));
  return key === null
    ? t('shell.rights.privilege', { needed })
    : t('shell.rights.key', { key, held: allOf(names(privileges)), needed });
}

function privilegeName(name: string, t: Translate): string {
  const known = PRIVILEGES.find((privilege) => privilege === name);
  return known === undefined ? name : t(`settings.keys.privilege.${known}`);
}
