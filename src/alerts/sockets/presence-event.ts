/** Channels for the actions of listeners, which `live-events.ts` shows to the others. */
export const BROADCAST_CHANNEL = 'alerts.events.broadcast';
export const VIEWERS_CHANNEL = 'alerts.events.viewers_update';

/** Payload of these channels. */
export interface PresenceEvent {
  /** Data for listeners: `{ id, action, username }`, or `{ id, viewers }`. */
  readonly data: unknown;
  /** Classification of the record; undefined: there is no such record. */
  readonly classification?: string | undefined;
  /** The user who caused it, who sees their own part of it in any case. */
  readonly by?: string;
}
