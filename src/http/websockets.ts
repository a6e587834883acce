import fastifyWebsocket from '@fastify/websocket';
import { WebSocket } from 'ws';
import type { ServiceApp } from './input/request-input.ts';

/** Bytes of a message of a client, all fragments together. */
const MAX_MESSAGE_SIZE = 64 * 1024;
/** Frames of a message, also empty ones, of which the size has no limit. */
const MAX_FRAGMENTS = 128;
/** Bytes of the reason of a close frame (RFC 6455 section 5.5). */
const MAX_REASON_SIZE = 123;

/** Close codes (RFC 6455 section 7.4). Clients of the public system read the reason of `refused` alone. */
export const CLOSE_CODES = { refused: 1008, fault: 1011 } as const;

/** Returns the reason of a close frame as JSON; a message that does not fit is shortened. */
export function closeReason(status: number, message: string): string {
  const reason = (text: string) => JSON.stringify({ error: true, status, message: text, type: 'error' });
  let text = message.slice(0, MAX_REASON_SIZE);
  while (Buffer.byteLength(reason(text)) > MAX_REASON_SIZE) text = text.slice(0, -1);
  return reason(text);
}

/** The codes by which `ws` closes after a violation of the protocol, without a reason. */
const VIOLATIONS: Readonly<Record<number, string>> = {
  1002: closeReason(400, 'The frame is not valid.'),
  1007: closeReason(400, 'The frame is not UTF-8 text.'),
  1008: closeReason(413, `A message has at most ${MAX_FRAGMENTS} fragments.`),
  1009: closeReason(413, `A frame has at most ${MAX_MESSAGE_SIZE} bytes.`),
};

/** Gives clients a reason for violations of the protocol, too. */
class ExplainedWebSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    const violation = reason === undefined ? VIOLATIONS[code ?? 0] : undefined;
    if (violation === undefined) super.close(code, reason);
    else super.close(CLOSE_CODES.refused, violation);
  }
}

type ServerOptions = NonNullable<fastifyWebsocket.WebsocketPluginOptions['options']>;

/**
 * Lets routes that are registered afterwards have a `wsHandler`.
 * @param end closes all connections before the server closes
 */
export function serveWebSockets(app: ServiceApp, end: () => Promise<void>): void {
  // The types of `ws` for modules lack the static members of the class, which it inherits.
  const WebSocket = ExplainedWebSocket as unknown as NonNullable<ServerOptions['WebSocket']>;
  const options = { maxPayload: MAX_MESSAGE_SIZE, maxFragments: MAX_FRAGMENTS, WebSocket };
  const preClose = async () => {
    await end();
    app.websocketServer.close();
  };
  // Called, not registered: a registered plugin starts after the routes, and its hooks would miss them.
  fastifyWebsocket(app, { options, preClose }, (error) => {
    if (error) throw error;
  });
}
