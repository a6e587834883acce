import { type CommandContext, type FlagValues, loadCommandConfig, WrongUse } from './command.ts';

/** A running program, and who calls it. */
export interface Connection {
  /** `http://host:port` of the analysis service. */
  readonly server: string;
  readonly user: string;
  /** `key name:secret`. */
  readonly apiKey: string;
}

/** Returns what the flags `server` and `user` and the variable TRIAD_API_KEY say. */
export function connectionOf(context: CommandContext, flags: FlagValues): Connection {
  const apiKey = context.environment.TRIAD_API_KEY ?? '';
  if (!apiKey.includes(':')) {
    throw new WrongUse('Set the variable TRIAD_API_KEY to an API key of the user, "key name:secret".');
  }
  const { host, analysis } = loadCommandConfig(context);
  const server = flags.server?.[0] ?? `http://${host.includes(':') ? `[${host}]` : host}:${analysis.port}`;
  if (!/^https?:\/\/[^/]/.test(server)) throw new WrongUse(`--server needs an address such as http://127.0.0.1:5001.`);
  return { server: server.replace(/\/+$/, ''), user: flags.user?.[0] ?? 'admin', apiKey };
}
