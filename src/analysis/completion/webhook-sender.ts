import { setTimeout as sleep } from 'node:timers/promises';
import { isTriadError, messageOf, Unavailable } from '../../errors/errors.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { WebhookMessage } from './action-runner.ts';
import type { Webhook } from './actions.ts';

export interface WebhookSenderDependencies {
  readonly client: Pick<OutboundClient, 'request'>;
  readonly log: { warn(entry: object, message: string): void; error(entry: object, message: string): void };
  /** Ends waiting and sending; the message is then delivered again. */
  readonly signal: AbortSignal;
  /** Milliseconds until the second attempt; they double with each. Default 1000. */
  readonly firstPause?: number;
}

/** Milliseconds that one attempt, and a pause between two, take at most. */
const TIMEOUT = 60_000;
const MAX_PAUSE = 60_000;

/** Sends the requests of webhooks, each with its retries and growing pauses. */
export class WebhookSender {
  readonly #dependencies: WebhookSenderDependencies;

  constructor(dependencies: WebhookSenderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Never fails but when it is ended. @throws Unavailable `stopping` */
  async send({ hook, sid, payload }: WebhookMessage): Promise<void> {
    const { log, signal, firstPause = 1000 } = this.#dependencies;
    const body = JSON.stringify(payload);
    // The setting counts attempts, as in the public system.
    const attempts = Math.max(1, hook.retries);
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const failure = await this.#attempt(hook, body);
      if (failure === undefined) return;
      if (signal.aborted) throw new Unavailable('stopping', 'The program is stopping; the webhook is sent later.');
      log.warn({ sid, uri: hook.uri, attempt, reason: failure.reason }, 'a webhook failed');
      if (failure.isFinal) break;
      const pause = Math.min(MAX_PAUSE, firstPause * 2 ** (attempt - 1));
      if (attempt < attempts) await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
    log.error({ sid, uri: hook.uri }, 'a webhook is given up');
  }

  async #attempt(
    hook: Webhook,
    body: string,
  ): Promise<{ readonly reason: string; readonly isFinal: boolean } | undefined> {
    const { client, signal } = this.#dependencies;
    try {
      const { status, content } = await client.request({
        url: hook.uri,
        method: hook.method,
        headers: headersOf(hook),
        body,
        timeout: TIMEOUT,
        verify: !hook.ssl_ignore_errors,
        ...(hook.ca_cert ? { ca: hook.ca_cert } : {}),
        ...(hook.proxy ? { proxy: hook.proxy } : {}),
        signal,
      });
      content.on('error', () => undefined).destroy();
      return status < 400 ? undefined : { reason: `the server answered ${status}`, isFinal: false };
    } catch (error) {
      const isFinal = isTriadError(error) && error.kind !== 'unavailable';
      return { reason: messageOf(error), isFinal };
    }
  }
}

function headersOf({ headers, username, password }: Webhook): Readonly<Record<string, string>> {
  const authorization = username
    ? `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`
    : undefined;
  return {
    'content-type': 'application/json',
    ...Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
    ...(authorization === undefined ? {} : { authorization }),
  };
}
