import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { pythonWith } from '../python-clients.ts';

/** The Python versions that the SDK and the wheels of its dependencies are made for. */
const PYTHON_VERSIONS = ['3.12', '3.13'];

/**
 * Returns the folder of a checkout of the public enrichment system, or the reason why there is none.
 * @throws Error when REQUIRE_CLUE=1 and CLUE_FOLDER is not set
 */
export function clueCheckout(): { readonly checkout: string } | { readonly reason: string } {
  const { CLUE_FOLDER, REQUIRE_CLUE } = process.env;
  if (CLUE_FOLDER !== undefined) return { checkout: resolve(CLUE_FOLDER) };
  const reason = 'set CLUE_FOLDER to a checkout of CybercentreCanada/clue';
  if (REQUIRE_CLUE === '1') throw new Error(reason);
  return { reason };
}

/**
 * Returns an interpreter with the SDK of the checkout and what its plugins need.
 * Otherwise the reason why there is none; with REQUIRE_CLUE=1 that is an error.
 */
export async function cluePython(): Promise<
  { readonly checkout: string; readonly python: string } | { readonly reason: string }
> {
  const found = clueCheckout();
  if ('reason' in found) return found;
  const interpreter = findInterpreter();
  if (interpreter === undefined) return required({ reason: `Python ${PYTHON_VERSIONS.join(' or ')} is not installed` });
  // The requirements name the checkout by this variable.
  process.env.CLUE_FOLDER = found.checkout;
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const environment = required(await pythonWith(requirements, 'clue', interpreter));
  return 'reason' in environment ? environment : { ...environment, ...found };
}

function required<T extends object>(found: T): T {
  if ('reason' in found && process.env.REQUIRE_CLUE === '1') throw new Error(String(found.reason));
  return found;
}

/** Looks on the path and among the versions that pyenv installed. */
function findInterpreter(): string | undefined {
  const pyenv = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const candidates = [
    ...PYTHON_VERSIONS.map((version) => `python${version}`),
    'python3',
    ...PYTHON_VERSIONS.flatMap((version) => globSync(join(pyenv, `${version}*`, 'bin', 'python3'))),
  ];
  return candidates.find((candidate) => {
    const { status, stdout } = spawnSync(candidate, ['--version'], { encoding: 'utf8' });
    return status === 0 && PYTHON_VERSIONS.some((version) => stdout.startsWith(`Python ${version}.`));
  });
}
