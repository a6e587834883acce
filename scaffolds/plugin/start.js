import { plugin } from './plugin.js';

// The variable PLUGIN_PORT says another port than 8000.
await plugin.listen();
