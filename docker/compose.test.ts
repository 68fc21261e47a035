import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { z } from 'zod';

const limit = z.union([z.number(), z.strictObject({ soft: z.number(), hard: z.number() })]);
/** The part of the Compose specification that the file uses; a misspelt key is refused. */
const service = z.strictObject({
  image: z.string().regex(/^[a-z0-9/-]+:\d+\.\d+\.\d+$/, 'an image pinned to a whole version'),
  network_mode: z.literal('host'),
  restart: z.literal('no'),
  profiles: z.array(z.string()).optional(),
  init: z.boolean().optional(),
  stop_grace_period: z.string().optional(),
  environment: z.record(z.string(), z.string()).optional(),
  command: z.array(z.string()).optional(),
  ulimits: z.record(z.string(), limit),
  volumes: z.array(z.string()).optional(),
  healthcheck: z.strictObject({
    test: z.array(z.string()).min(2),
    interval: z.string(),
    timeout: z.string(),
    retries: z.number(),
    start_period: z.string().optional(),
  }),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }).optional(),
});
const compose = z.strictObject({
  name: z.string(),
  services: z.strictObject({ kurento: service, coturn: service }),
});

const file = async () => compose.parse(parse(await readFile(new URL('compose.yaml', import.meta.url), 'utf8')));

test('the compose file has the form of one, with pinned images, health checks and raised limits', async () => {
  const { services } = await file();
  expect(services.kurento.image).toMatch(/^kurento\/kurento-media-server:7\./);
  expect(services.kurento.ulimits).toHaveProperty('nofile');
});

test('the TURN server that the image has switched on is switched off', async () => {
  const { volumes } = (await file()).services.kurento;
  expect(volumes?.[0]).toBe(
    './kurento/WebRtcEndpoint.conf.ini:/etc/kurento/modules/kurento/WebRtcEndpoint.conf.ini:ro',
  );
  const settings = await readFile(new URL('kurento/WebRtcEndpoint.conf.ini', import.meta.url), 'utf8');
  expect(settings.split('\n').filter((line) => line !== '' && !line.startsWith(';'))).toEqual([]);
});

test('media of the two servers leaves from ports that do not overlap', async () => {
  const { kurento, coturn } = (await file()).services;
  const flag = (name: string) => Number(coturn.command?.find((one) => one.startsWith(`--${name}=`))?.split('=')[1]);
  expect(Number(kurento.environment?.KMS_MIN_PORT)).toBeLessThan(Number(kurento.environment?.KMS_MAX_PORT));
  expect(flag('min-port')).toBeGreaterThan(Number(kurento.environment?.KMS_MAX_PORT));
  expect(flag('max-port')).toBeLessThanOrEqual(65_535);
});
