import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../errors/errors.ts';

/** A dependency of the service. */
export interface HealthCheck {
  readonly name: string;
  /** True if the service is ready, in part, without it. Default false. */
  readonly degrades?: boolean;
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>;
}

/** The outcome of a check. */
export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** False if the service is ready, in part, without it. */
  readonly required: boolean;
  readonly detail: string;
  readonly milliseconds: number;
}

/** Milliseconds after which a check counts as failed. */
const CHECK_TIMEOUT = 5_000;

/** Runs all checks concurrently, each for at most 5 seconds. Never fails. */
export function runHealthChecks(checks: readonly HealthCheck[]): Promise<readonly CheckResult[]> {
  return Promise.all(
    checks.map(async (check) => {
      const started = performance.now();
      const outcome = await runCheck(check);
      const milliseconds = Math.round((performance.now() - started) * 10) / 10;
      return { name: check.name, ...outcome, required: check.degrades !== true, milliseconds };
    }),
  );
}

/** Returns `degraded` when only checks failed that are not required. */
export function overallStatus(results: readonly CheckResult[]): 'ok' | 'degraded' | 'fail' {
  const broken = results.filter(({ ok }) => !ok);
  if (broken.length === 0) return 'ok';
  return broken.some(({ required }) => required) ? 'fail' : 'degraded';
}

async function runCheck(check: HealthCheck): Promise<{ ok: boolean; detail: string }> {
  const late = { ok: false, detail: `no answer within ${CHECK_TIMEOUT} ms` };
  const stop = new AbortController();
  try {
    const { ok, detail } = await Promise.race([
      check.health(),
      setTimeout(CHECK_TIMEOUT, late, { signal: stop.signal }),
    ]);
    return { ok, detail };
  } catch (error) {
    return { ok: false, detail: messageOf(error) };
  } finally {
    stop.abort();
  }
}
