/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  // These load native or worker files at run time and must not be bundled into a route.
  serverExternalPackages: ['better-sqlite3', 'ioredis', 'pg'],
};
