/** Returns whether this browser shows notifications of this page; false where it cannot. */
export function mayNotify(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted';
}

/** Asks a person, if they were not asked before. Returns whether notifications may be shown. */
export async function askToNotify(): Promise<boolean> {
  return 'Notification' in globalThis && (await Notification.requestPermission()) === 'granted';
}
