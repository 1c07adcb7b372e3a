// The echo table on Colyseus: four seats say 40 bytes in turn; each message is checked for turn and
// seat, and all four are told. Unlike Parlor's it is not logged, numbered, or kept for a resume.
//
//   node server.mjs PORT

import { createServer } from 'node:http';

import { Room, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';

const SEATS = 4;
const TEXT_BYTES = 40;

class EchoTable extends Room {
  maxClients = SEATS;

  onCreate() {
    this.turn = 0;
    this.seats = new Map();
    this.onMessage('say', (client, { turn, text }) => {
      const seat = this.seats.get(client.sessionId);
      if (turn !== this.turn || seat !== turn % SEATS || text?.length !== TEXT_BYTES) {
        client.send('refused', { turn });
        return;
      }
      this.turn += 1;
      this.broadcast('said', { turn, seat, text });
    });
  }

  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
  }
}

const transport = new WebSocketTransport({ server: createServer() });
const server = new Server({ transport, greet: false });
server.define('echo', EchoTable);
await server.listen(Number(process.argv[2]));
