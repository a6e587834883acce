import type { Settings } from '../../config/config-schema.ts';
import { SERVICES, type ServiceName } from '../actor.ts';
import type { IdentityProvider } from '../oauth/provider.ts';

/** Who an exchanged token is for, at one provider. */
export interface ExchangeTarget {
  readonly name: string;
  /** The service of this installation that it is; undefined: somebody else's. */
  readonly service: ServiceName | undefined;
  readonly audience: string | undefined;
  /** Separated by spaces. */
  readonly scope: string | undefined;
}

export type ConfiguredTargets = Settings['enrichment']['obo_targets'];

/**
 * The target of that name: a configured one, else a service of this installation. Undefined when there is none, or it is switched off.
 * Where only a scope is configured, what stands before its first slash is the audience (contract/enrichment.md section 1.5).
 */
export function exchangeTarget(
  name: string,
  configured: ConfiguredTargets,
  provider: IdentityProvider,
): ExchangeTarget | undefined {
  const target = Object.hasOwn(configured, name) ? configured[name] : undefined;
  if (target) {
    if (!target.enabled) return undefined;
    const { scope } = target;
    return { name, service: undefined, audience: target.audience ?? audienceOfScope(scope), scope };
  }
  const service = SERVICES.find((one) => one === name);
  if (service === undefined) return undefined;
  const { audience, exchangeScope } = provider.client(service);
  const usual =
    audience !== undefined && provider.settings.on_behalf_of === 'jwt_bearer' ? `${audience}/.default` : undefined;
  const scope = exchangeScope ?? usual;
  return { name, service, audience, scope };
}

function audienceOfScope(scope: string): string | undefined {
  const end = scope.includes('://') ? scope.lastIndexOf('/') : scope.indexOf('/');
  return end > 0 ? scope.slice(0, end) : undefined;
}
