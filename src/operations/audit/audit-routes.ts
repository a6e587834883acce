import { Type } from 'typebox';
import type { Settings } from '../../config/config-schema.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { AUDIT_EVENTS } from '../../identity/audit/audit-log.ts';
import type { AuditReader } from '../../identity/audit/audit-reader.ts';
import { converted, integer, names, text } from '../../input/input-kinds.ts';
import { nullableText } from '../../input/nullable.ts';
import { READ } from '../operations-access.ts';

export interface AuditRouteDependencies {
  /** Undefined: security events do not go to a file. */
  readonly reader: Pick<AuditReader, 'read'> | undefined;
  readonly settings: Settings['audit'];
}

const tags = ['audit'];
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

const time = (name: string, description: string) =>
  Type.Optional(
    converted(text({ description: `${description} ISO 8601 with a zone.` }), (given) => {
      const milliseconds = ISO_TIME.test(given) ? Date.parse(given) : Number.NaN;
      if (!Number.isNaN(milliseconds)) return milliseconds;
      const message = `The argument ${name} must be a time such as 2026-03-04T05:06:07Z.`;
      throw new InvalidInput('invalid_argument', message, { at: name });
    }),
  );

const AuditQuery = Type.Object({
  from: time('from', 'Time of the earliest event.'),
  to: time('to', 'Time of the latest event.'),
  user: Type.Optional(text({ description: 'Affected or acting user, or impersonator.' })),
  event: Type.Optional(names({ description: 'Kinds of events, separated by commas. Default: all.' })),
  limit: integer({ description: 'Events of the page.', minimum: 1, maximum: 1000, default: 100 }),
  cursor: Type.Optional(text({ description: '`next` of the page before.' })),
});
const Event = Type.Record(Type.String(), Type.Unknown(), {
  title: 'AuditEvent',
  description: 'Members as in docs/operating.md: `time`, `event`, `service`, `user` ...',
});
const Events = Type.Object({
  available: Type.Boolean({ description: 'False: security events do not go to a file; `hint` says how they would.' }),
  hint: nullableText('How to have security events written to a file.'),
  events: Type.Array(Event, { description: 'The newest first, of the file of the answering process.' }),
  next: nullableText(
    'Argument `cursor` of the next page; null: there is none. A page may be empty and have a next one.',
  ),
  searched_to: nullableText('Time down to which this page looked; a page looks at 64 MB at most.'),
});
const Kinds = Type.Object({
  kinds: Type.Array(Type.Object({ event: Type.String(), description: Type.String() }, { title: 'AuditKind' })),
});

/** Serves the security events of this process, when they go to a file. */
export const auditRoutes =
  ({ reader, settings }: AuditRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/v1/audit',
      {
        access: READ,
        schema: { tags, summary: 'Search for security events', querystring: AuditQuery, response: { 200: Events } },
      },
      async ({ query }, reply) => {
        if (reader === undefined) {
          const hint = `Security events go to ${settings.to === 'stderr' ? 'standard error' : 'standard output'}. To search them here, have them written to a file: set audit.to to file (SVC_AUDIT_TO=file) and restart the program.`;
          return { available: false, hint, events: [], next: null, searched_to: null };
        }
        const gone = new AbortController();
        reply.raw.once('close', () => gone.abort());
        const { event: events, ...selection } = query;
        const page = await reader.read({ ...selection, events }, gone.signal);
        return {
          ...{ available: true, hint: null, events: page.events },
          ...{ next: page.next ?? null, searched_to: page.searchedTo ?? null },
        };
      },
    );

    app.get(
      '/v1/audit/kinds',
      { access: READ, schema: { tags, summary: 'List the kinds of security events', response: { 200: Kinds } } },
      () => ({ kinds: Object.entries(AUDIT_EVENTS).map(([event, description]) => ({ event, description })) }),
    );
  };
