package org.apache.kafka.common.utils.internals;

/**
 * Makes this package exist for the compiler. Kafka moved some of its utilities here in 4.4; before that they were in
 * org.apache.kafka.common.utils. With both packages imported on demand, one source builds against every release.
 * The class is left out of the jar.
 */
final class PackageMarker {
    private PackageMarker() {
    }
}
