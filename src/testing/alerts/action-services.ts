import { type ActionResource, createActionResource } from '../../alerts/actions/action-resource.ts';
import type { Outcome } from '../../alerts/actions/operation.ts';
import { createCaseResource } from '../../alerts/cases/case-resource.ts';
import { OwnershipService } from '../../alerts/saved-objects/ownership-service.ts';
import type { Actor, Role } from '../../identity/actor.ts';
import type { AuditEvent } from '../../identity/audit/audit-log.ts';
import { type AlertServices, anActor, openAlertServices } from './alert-services.ts';

export interface ActionServices extends ActionResource {
  readonly services: AlertServices;
  /** Security events so far. */
  readonly audited: readonly AuditEvent[];
  /** Runs one operation; its outcomes. */
  run(actor: Actor, operationId: string, given: object, query?: string): Promise<readonly Outcome[]>;
  close(): Promise<void>;
}

/** The services of actions on the embedded datastore, in memory. `close` when done. */
export async function openActionServices(): Promise<ActionServices> {
  const services = await openAlertServices();
  const { shared, cases, savedQueries, triggers } = services;
  const audited: AuditEvent[] = [];
  const resource = createActionResource({
    ...shared,
    savedQueries,
    triggers,
    hits: services,
    cases: createCaseResource({ ...shared, store: cases }),
    ownership: new OwnershipService({ users: { get: async () => undefined } }),
    audit: { write: (event) => void audited.push(event) },
  });
  return {
    ...resource,
    services,
    audited,
    async run(actor, operationId, given, query = '*:*') {
      const operations = [{ operation_id: operationId, data_json: JSON.stringify(given) }];
      const report = await resource.execution.run(actor, { requestId: 'test', query, operations });
      return report[operationId] ?? [];
    },
    close: () => services.close(),
  };
}

/** Returns a caller with these roles; default: those for the basic operations. */
export function aRunner(...roles: Role[]): Actor {
  return anActor({
    username: 'rae',
    roles: new Set<Role>(roles.length > 0 ? roles : ['user', 'automation_basic', 'actionrunner_basic']),
  });
}
