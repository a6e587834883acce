import type { ApiProblem } from '../../api/problem.ts';
import type { Translate } from '../../i18n/translation.ts';

/** Codes of refusals that do not tell which part was wrong. */
const WRONG: ReadonlySet<string> = new Set(['invalid_login', 'unknown_user']);
const LOCKED: ReadonlySet<string> = new Set(['locked_out', 'too_many_failed_logins']);

/**
 * Returns why a sign-in was refused, in the language of the page; the sentence of the server where
 * the page has none.
 * @param now milliseconds since 1970
 */
export function refusalWords(problem: ApiProblem, t: Translate, language: string, now: number): string {
  const code = problem.code ?? '';
  if (WRONG.has(code)) return t('shell.signIn.wrongPassword');
  if (code === 'provider_refused') return t('shell.signIn.providerRefused', { reason: problem.message });
  if (!LOCKED.has(code) || problem.retryAfter === undefined) return problem.message;
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(now + problem.retryAfter * 1000);
  return t('shell.signIn.lockedOut', { time });
}
