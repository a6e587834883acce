import type { ApiProblem } from '../api/problem.ts';

export interface AskedFactors {
  readonly isAsked: boolean;
  readonly otp: boolean;
  readonly securityKey: boolean;
}

/** Reads from a refused sign-in which second factors the account has. */
export function secondFactorsOf(problem: ApiProblem | undefined): AskedFactors {
  const factors = problem?.details.second_factors;
  const names = Array.isArray(factors) ? factors : [];
  return { isAsked: names.length > 0, otp: names.includes('otp'), securityKey: names.includes('security_key') };
}

/** Asks the browser for the answer of a security key; undefined when the person cancelled it. */
export async function answerOfSecurityKey(problem: ApiProblem | undefined): Promise<unknown> {
  const options = problem?.details.webauthn_options;
  if (options === undefined) return undefined;
  const { startAuthentication } = await import('@simplewebauthn/browser');
  try {
    return await startAuthentication({
      optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'],
    });
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')) return undefined;
    throw error;
  }
}
