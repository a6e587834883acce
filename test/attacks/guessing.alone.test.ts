import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '../../src/identity/actor.ts';
import type { AuditEventName } from '../../src/identity/audit/audit-log.ts';
import { startTestProgram, type TestProgram, type TestRequest } from '../../src/testing/start-test-program.ts';
import { storedUsers } from './attack-fixture.ts';

/** Disables the lock-out, so that there are enough attempts to measure. */
const UNLIMITED = {
  'auth.internal.max_failures': 1_000_000,
  'auth.internal.max_failures_per_user': 1_000_000,
  'auth.internal.max_failures_per_address': 1_000_000,
};
/** The first ones are not counted: code and hashes get warm. */
const WARM_UP = 5;
const MAX_RATIO = 1.2;
const MAX_ROUNDS = 4;

interface Guess {
  /** Number of measurements. A difference of a millisecond needs more of them to be significant. */
  readonly tries: number;
  /** Set where recorded answers of the public system say that a user has no such key. */
  readonly namesUnknownKeys?: boolean;
  make(user: string, number: number): { readonly path: string; readonly request: TestRequest };
}

/** A password takes tens of milliseconds. */
const PASSWORD_TRIES = 40;
const KEY_TRIES = 300;

const post = (service: ServiceName, path: string, json: unknown) => ({
  path,
  request: { service, method: 'POST', json },
});

/** Every way to try whether a user exists. */
const GUESSES: Readonly<Record<string, Guess>> = {
  'a login with a password at the alert service': {
    tries: PASSWORD_TRIES,
    make: (user, number) => post('alerts', '/api/v1/auth/login/', { user, password: `guess ${number}` }),
  },
  'a login with an API key at the alert service': {
    tries: KEY_TRIES,
    namesUnknownKeys: true,
    make: (user, number) => post('alerts', '/api/v1/auth/login/', { user, apikey: `none:${number}` }),
  },
  'a request with a password at the alert service': {
    tries: PASSWORD_TRIES,
    make: (user, number) => ({ path: '/api/v1/user/whoami/', request: { basic: `${user}:guess ${number}` } }),
  },
  'a request with an API key at the alert service': {
    tries: PASSWORD_TRIES,
    namesUnknownKeys: true,
    make: (user, number) => ({ path: '/api/v1/user/whoami/', request: { basic: `${user}:none:${number}` } }),
  },
  'a login with a password at the analysis service': {
    tries: PASSWORD_TRIES,
    make: (user, number) => post('analysis', '/api/v4/auth/login/', { user, password: `guess ${number}` }),
  },
  'a login with an API key at the analysis service': {
    tries: KEY_TRIES,
    make: (user, number) => post('analysis', '/api/v4/auth/login/', { user, apikey: `none:${number}` }),
  },
  'a request with an API key at the analysis service': {
    tries: KEY_TRIES,
    make: (user, number) => ({
      path: '/api/v4/user/whoami/',
      request: { service: 'analysis', headers: { 'x-user': user, 'x-apikey': `none:${number}` } },
    }),
  },
};

describe('whether a user exists', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({ settings: UNLIMITED });
  });
  after(() => program.close());

  for (const [what, { tries, make, namesUnknownKeys = false }] of Object.entries(GUESSES)) {
    const told = namesUnknownKeys ? 'not told by the time' : 'told neither by the answer nor by the time';
    it(`is ${told} of ${what}`, async () => {
      const times = { known: [] as number[], unknown: [] as number[] };
      const answers = new Set<string>();
      const measure = async (number: number) => {
        // Alternating, and beginning with the other one each time: what else the machine does meets both.
        const order = number % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
        for (const kind of order) {
          const user = kind === 'known' ? 'goose' : `nobody${number}`;
          const { path, request } = make(user, number);
          const start = performance.now();
          const { status, text } = await program.request(path, request);
          if (number >= WARM_UP) times[kind].push(performance.now() - start);
          answers.add(namesUnknownKeys ? `${status}` : `${status} ${text.replaceAll(user, 'USER')}`);
        }
      };
      let number = 0;
      let ratio = Number.POSITIVE_INFINITY;
      // A busy machine needs more of them; a difference that is there does not go away.
      for (let round = 1; round <= MAX_ROUNDS && ratio >= MAX_RATIO; round++) {
        for (; number < WARM_UP + round * tries; number++) await measure(number);
        const [known, unknown] = [median(times.known), median(times.unknown)];
        ratio = Math.max(known, unknown) / Math.min(known, unknown);
      }
      assert.equal(answers.size, 1, [...answers].join('\n'));
      assert.ok(ratio < MAX_RATIO, `${median(times.known)} ms if there is one, else ${median(times.unknown)} ms`);
    });
  }
});

/** Milliseconds between two of 10,000 in a minute. */
const INTERVAL = 6;

interface Flood {
  guess(number: number): { readonly path: string; readonly request: TestRequest };
  /** Status before the throttle delays callers. */
  readonly status: number;
  readonly event: AuditEventName;
}

const AS_USER = { 'x-userid': 'ada', 'x-classification': 'UNRESTRICTED' };

/** 10,000 a minute of each, from one address. */
const FLOODS: Readonly<Record<string, Flood>> = {
  'logins at the alert service': {
    guess: (number) => post('alerts', '/api/v1/auth/login/', { user: `user${number}`, password: 'guess' }),
    status: 401,
    event: 'login_failed',
  },
  'logins at the analysis service': {
    guess: (number) => post('analysis', '/api/v4/auth/login/', { user: `user${number}`, password: 'guess' }),
    status: 401,
    event: 'login_failed',
  },
  'tries of a key at the enrichment service': {
    guess: (number) => ({
      path: '/api/v1/',
      request: { service: 'enrichment', basic: `robot:${number}`, headers: AS_USER },
    }),
    status: 403,
    event: 'credential_refused',
  },
};

for (const [what, flood] of Object.entries(FLOODS)) {
  it(`10,000 ${what} a minute from one address are throttled, and others are served as fast as ever`, async (context) => {
    const events: string[] = [];
    const program = await startTestProgram({
      settings: { 'enrichment.api_keys': { robot: 'robot-secret' } },
      onAudit: ({ event }) => void events.push(event),
    });
    context.after(() => program.close());
    const usersBefore = await storedUsers(program);
    const ask = async () => {
      const start = performance.now();
      const { status } = await program.request('/api/v1/user/whoami/', { basic: 'user:devkey:user' });
      assert.equal(status, 200);
      return performance.now() - start;
    };
    const before: number[] = [];
    for (let number = 0; number < 100; number++) before.push(await ask());
    // On a slow machine the limit is relative to the earlier measurement.
    const longest = Math.max(50, 10 * median(before));
    const begun = Date.now();
    const end = begun + 3000;
    const statuses: number[] = [];
    const logins: Promise<void>[] = [];
    const guess = async (number: number) => {
      const { path, request } = flood.guess(number);
      statuses.push((await program.request(path, request)).status);
    };
    const attack = async () => {
      while (Date.now() < end) {
        // What is late is made up for: it has to be that many.
        for (const due = (Date.now() - begun) / INTERVAL; logins.length < due; ) logins.push(guess(logins.length));
        await sleep(INTERVAL);
      }
    };
    const times: number[] = [];
    const others = async () => {
      for (; Date.now() < end; await sleep(5)) times.push(await ask());
    };
    await Promise.all([attack(), others()]);
    await Promise.all(logins);
    const throttled = statuses.filter((status) => status === 429).length;
    assert.ok(logins.length > 450, `only ${logins.length} were sent`);
    assert.equal(throttled + statuses.filter((status) => status === flood.status).length, logins.length);
    assert.ok(throttled > logins.length / 2, `${throttled} of ${logins.length} were throttled`);
    assert.ok(median(times) < longest, `half of the others waited longer than ${median(times).toFixed(1)} ms`);
    assert.equal(events.filter((event) => event === 'locked_out').length, 1, 'the address was locked out once');
    assert.equal(events.filter((event) => event === flood.event).length, logins.length);
    assert.deepEqual(await storedUsers(program), usersBefore, 'nothing was made');
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
