/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  // `npm run types` checks the whole project; a second time here would only cost time.
  typescript: { ignoreBuildErrors: true },
  // Browsers ask for it wherever no page names an icon: while one page gives way to the next, too.
  rewrites: async () => [{ source: '/favicon.ico', destination: '/icon.svg' }],
  // These load native or worker files at run time and must not be bundled into a route.
  serverExternalPackages: ['better-sqlite3', 'ioredis', 'pg'],
};
