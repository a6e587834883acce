import { Type } from 'typebox';
import { InvalidInput, isTriadError, NotFound, Unauthenticated } from '../../errors/errors.ts';
import { checkPrivilegedAccess, requestOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { serveWebSockets } from '../../http/websockets.ts';
import type { AlertIdentity } from '../../identity/alert-identity.ts';
import type { PresentedCredentials } from '../../identity/authenticator.ts';
import { handedCookie } from '../../identity/sessions/handed-cookies.ts';
import { idOf } from '../example-ids.ts';
import { READ_UNAUDITED } from '../record-access.ts';
import { checkEmitSecret } from './emit-secret.ts';
import type { SocketService } from './socket-service.ts';

export interface SocketRouteDependencies {
  readonly sockets: SocketService;
  readonly identity: Pick<AlertIdentity, 'authenticate'>;
  /** Setting `alerts.emit_secret`. */
  readonly emitSecret: string;
}

const LISTEN: GuardedAccess = { privileges: ['R'], roles: 'any', quota: false, credential: 'first_frame' };
/** Bytes of a payload of another program, which is read before its secret is known. */
const MAX_PAYLOAD_SIZE = 1024 * 1024;
const tags = ['socket'];

/** Registers `/socket/v1`. Must be the last routes of a service: later ones would take upgrades. */
export const socketRoutes =
  (dependencies: SocketRouteDependencies): RouteModule =>
  (app) => {
    const { sockets } = dependencies;
    app.get(
      '/socket/v1/viewers/:id',
      {
        access: READ_UNAUDITED,
        schema: {
          summary: 'List the users who look at a record',
          description:
            'The users whose connections show the alert, event or case, sorted. Of a record above the classification of the caller: the caller alone.',
          tags,
          params: pathParameters({ id: idOf('hit') }),
          response: { 200: Type.Array(Type.String()) },
        },
      },
      async ({ actor, params, path }) => {
        if (params.id.includes('/')) throw new NotFound('unknown_path', `Api does not exist (${path})`);
        return sockets.viewersOf(actor, params.id);
      },
    );

    app.post(
      '/socket/v1/emit/:event',
      {
        access: 'public',
        body: 'json',
        bodyLimit: MAX_PAYLOAD_SIZE,
        schema: {
          summary: 'Publish an event to all listeners',
          description:
            'For processes of the public system. `Authorization` is any scheme and `x:<alerts.emit_secret>` in base64; the default secret is accepted from the same machine only. The body is the payload. Unknown events are ignored.',
          tags,
          deprecated: true,
          params: pathParameters({ event: ['Kind of the event.', 'broadcast'] }),
          response: { 200: Type.Object({ success: Type.Literal(true) }) },
          refusals: [401, 403],
        },
      },
      async (request) => {
        checkEmitSecret(dependencies.emitSecret, request);
        await sockets.emit(request.params.event, request.body);
      },
    );

    serveWebSockets(app, () => sockets.close());
    app.route({
      method: 'GET',
      url: '/socket/v1/connect',
      access: LISTEN,
      envelope: false,
      schema: {
        summary: 'Listen to live events',
        description:
          'A websocket. Its first frame is an app token or an access token of a provider, as it would follow `Bearer`; docs/live-events.md describes the frames.',
        tags,
        response: { 101: {} },
      },
      handler: async () => {
        throw new InvalidInput('not_a_websocket', 'This address is for websockets: connect with Upgrade: websocket.');
      },
      wsHandler: (socket, request) => {
        const origin = requestOrigin(request);
        const webSession = handedCookie(request.raw);
        const identify = identification(dependencies.identity, { ...origin, webSession });
        const isSignedIn = webSession !== undefined;
        sockets.accept({ socket, stream: request.raw.socket, origin, identify, isSignedIn });
      },
    });
  };

type Origin = ReturnType<typeof requestOrigin> & Pick<PresentedCredentials, 'webSession'>;

/**
 * Returns a function that verifies a credential as if a request had it in `Authorization`, or the web
 * session.
 */
function identification(identity: SocketRouteDependencies['identity'], origin: Origin) {
  return async (credential: string) => {
    const presented: PresentedCredentials = {
      ...origin,
      header: (name) => (name === 'authorization' ? `Bearer ${credential}` : undefined),
      singleHeader: () => undefined,
      argument: () => undefined,
      isEncrypted: () => false,
      checkXsrf: true,
      allowInactive: false,
    };
    try {
      const actor = await identity.authenticate(presented);
      checkPrivilegedAccess(actor, LISTEN, { path: '/socket/v1/connect' });
      return actor;
    } catch (error) {
      if (origin.webSession !== undefined) throw error;
      const isInvalid = isTriadError(error) && ['invalid_input', 'unauthenticated'].includes(error.kind);
      if (!isInvalid) throw error;
      // Clients of the public system refresh their token upon 401.
      throw new Unauthenticated('invalid_token', 'Authentication header is invalid.', { cause: error });
    }
  };
}
