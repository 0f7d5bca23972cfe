/** Preloaded into a program: lets the time that it measures pass fourteen times as fast. */
const real = performance.now.bind(performance);
performance.now = () => real() * 14;
